package io.weir.internal.http;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.Ticker;
import io.weir.adapter.HeaderField;
import io.weir.internal.permits.RequestDecision;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Writes the header fields that show callers their limits, in the configured dialect.
 *
 * <p>If several policies decided, a field lists all of them or shows the closest one, depending on
 * the dialect.
 *
 * <p>Safe for concurrent use.
 */
public final class RateLimitFields {
  /** The number of characters that most policies take in a list. */
  private static final int USUAL_LENGTH = 48;

  private final HeaderDialect dialect;
  private final Ticker ticker;
  private final ConcurrentMap<String, CachedPolicyFields> cache = new ConcurrentHashMap<>();

  /** Takes the time of day for {@code X-RateLimit-Reset} from a ticker. */
  public RateLimitFields(HeaderDialect dialect, Ticker ticker) {
    this.dialect = dialect;
    this.ticker = ticker;
  }

  /**
   * Writes the fields for a response, whether the request was admitted or refused.
   *
   * @return the fields of the dialect, unmodifiable; none for {@link HeaderDialect#NONE}, nor for a
   *     caller that the access list refuses, whom limits don't concern
   */
  public List<HeaderField> of(Decision decision) {
    List<DialectField> wanted = dialect.fields();
    if (wanted.isEmpty() || isOfAccessList(decision)) {
      return List.of();
    }
    List<Optional<HeaderField>> closest = cached(decision).fields();
    CallerQuota caller = quota(decision);
    boolean several = RequestDecision.cast(decision).isCombined();
    HeaderField[] fields = new HeaderField[wanted.size()];
    for (int index = 0; index < fields.length; index++) {
      DialectField field = wanted.get(index);
      if (several && field.listsAll()) {
        fields[index] = field.field(list(decision, index));
      } else {
        Optional<HeaderField> known = closest.get(index);
        fields[index] = known.isPresent() ? known.get() : field.of(caller);
      }
    }
    return new FieldList(fields);
  }

  private static boolean isOfAccessList(Decision decision) {
    return !decision.admitted()
        && decision.policy().name().equals(RequestDecision.ACCESS_LIST)
        && (decision.reason() == Reason.DENIED || decision.reason() == Reason.BANNED);
  }

  CallerQuota quota(Decision decision) {
    return new CallerQuota(decision, ticker);
  }

  /** Lists all policies in one field, in the order of the request. */
  private String list(Decision decision, int index) {
    List<Decision> parts = decision.parts();
    StringBuilder list = new StringBuilder(parts.size() * USUAL_LENGTH);
    for (int i = 0; i < parts.size(); i++) { // no stream for each request
      Optional<HeaderField> field = cached(parts.get(i)).fields().get(index);
      if (field.isPresent()) {
        list.append(list.isEmpty() ? "" : ",").append(field.get().value());
      }
    }
    return list.toString();
  }

  /** Caches the latest fields of each policy: they hardly ever change. */
  private CachedPolicyFields cached(Decision part) {
    Policy policy = part.policy();
    CachedPolicyFields cached = cache.get(policy.name());
    if (cached != null
        && cached.describe(policy, part.limit())
        && !(cached.canExpire() && cached.areExpired(ticker.epochMicros()))) {
      return cached;
    }
    CachedPolicyFields made =
        CachedPolicyFields.of(dialect, policy, part.limit(), ticker.epochMicros());
    cache.put(policy.name(), made);
    return made;
  }
}
