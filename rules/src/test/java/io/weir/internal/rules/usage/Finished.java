package io.weir.internal.rules.usage;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Makes requests that have ended. */
public final class Finished {
  private static final Map<String, Policy> POLICIES = new ConcurrentHashMap<>();

  private Finished() {}

  public static FinishedRequest admitted(String userId, String endpoint, Instant at, long permits) {
    return request(userId, endpoint, "", at, decision(Outcome.ADMITTED, "api.all-60s", permits));
  }

  public static FinishedRequest admitted(String userId, String endpoint, Instant at) {
    return admitted(userId, endpoint, at, 1);
  }

  public static FinishedRequest refused(String userId, String endpoint, Instant at) {
    return request(userId, endpoint, "", at, decision(Outcome.REFUSED, "api.all-60s", 0));
  }

  public static FinishedRequest refusedBy(
      String policy, String userId, String endpoint, Instant at) {
    return request(userId, endpoint, "", at, decision(Outcome.REFUSED, policy, 0));
  }

  public static FinishedRequest refusedAddress(String address, String endpoint, Instant at) {
    return request("*", endpoint, address, at, decision(Outcome.REFUSED, "api.all-60s", 0));
  }

  static FinishedRequest request(
      String userId, String endpoint, String address, Instant at, Decision decision) {
    long micros =
        TimeUnit.SECONDS.toMicros(at.getEpochSecond())
            + TimeUnit.NANOSECONDS.toMicros(at.getNano());
    return new FinishedRequest(userId, endpoint, address, decision, micros);
  }

  static Decision decision(Outcome outcome, String policy, long permits) {
    return decision(outcome, policy, permits, false, List.of());
  }

  static Decision refunded(String policy, long permits) {
    return decision(Outcome.ADMITTED, policy, permits, true, List.of());
  }

  static Decision together(Decision... parts) {
    return decision(Outcome.ADMITTED, "several", 0, false, List.of(parts));
  }

  private static Decision decision(
      Outcome outcome, String policy, long permits, boolean isRefunded, List<Decision> parts) {
    Policy made =
        POLICIES.computeIfAbsent(
            policy, name -> Policy.builder(name).limit(10).window(Duration.ofMinutes(1)).build());
    return new Decision() {
      @Override
      public boolean admitted() {
        return outcome.admitted();
      }

      @Override
      public Outcome outcome() {
        return outcome;
      }

      @Override
      public Reason reason() {
        throw new UnsupportedOperationException();
      }

      @Override
      public boolean degraded() {
        return false;
      }

      @Override
      public Policy policy() {
        return made;
      }

      @Override
      public Key key() {
        return Key.nobody();
      }

      @Override
      public long limit() {
        return made.limit();
      }

      @Override
      public long remaining() {
        return 0;
      }

      @Override
      public Duration resetAfter() {
        return Duration.ZERO;
      }

      @Override
      public Duration retryAfter() {
        return Duration.ZERO;
      }

      @Override
      public long permits() {
        return permits;
      }

      @Override
      public boolean refunded() {
        return isRefunded;
      }

      @Override
      public String describe() {
        return "";
      }

      @Override
      public List<Decision> parts() {
        return parts.isEmpty() ? List.of(this) : parts;
      }
    };
  }
}
