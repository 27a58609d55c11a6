package io.weir.internal.http;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.Ticker;
import io.weir.adapter.HeaderField;
import io.weir.internal.permits.RequestDecision;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;

/** Makes decisions to write, and reads the fields with an independent parser. */
final class WireFixture {
  /** 2026-01-01T00:00:00Z. */
  static final long EPOCH_SECONDS = 1_767_225_600L;

  private WireFixture() {}

  static Ticker at(long epochMicros) {
    return new Ticker() {
      @Override
      public long nanoTime() {
        return 0;
      }

      @Override
      public long epochMicros() {
        return epochMicros;
      }
    };
  }

  static Policy policy(String name, long limit, Duration window) {
    return Policy.builder(name).limit(limit).window(window).build();
  }

  static Decision admitted(Policy policy, long left, long resetMicros) {
    return RequestDecision.builder(policy, Key.everybody())
        .remaining(policy.limit(), left)
        .after(resetMicros, 0)
        .taken(1, 0)
        .build();
  }

  static Decision refused(Policy policy, Reason why, long retryMicros) {
    return RequestDecision.builder(policy, Key.everybody())
        .outcome(Outcome.REFUSED, why)
        .remaining(policy.limit(), 0)
        .after(retryMicros, retryMicros)
        .build();
  }

  static Map<String, String> byName(List<HeaderField> fields) {
    return fields.stream().collect(Collectors.toMap(HeaderField::name, HeaderField::value));
  }

  /** Reads a field's members back as {@code name {parameters}}. */
  static List<String> read(String field) {
    return Parser.parseList(field).get().stream().map(WireFixture::read).toList();
  }

  private static String read(ListElement<?> element) {
    String parameters =
        element.getParams().entrySet().stream()
            .map(each -> each.getKey() + "=" + (Long) each.getValue().get())
            .collect(Collectors.joining(" "));
    return (String) element.get() + " " + parameters;
  }
}
