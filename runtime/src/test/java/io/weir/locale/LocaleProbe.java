package io.weir.locale;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.Ticker;
import io.weir.adapter.EndpointType;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.http.HeaderDialect;
import io.weir.internal.http.RateLimitFields;
import io.weir.internal.http.RefusalFactory;
import io.weir.internal.http.RefusalFormat;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.redis.RedisProvider;
import io.weir.store.PermitStore;
import jakarta.ws.rs.GET;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Prints the texts that Weir writes and the settings that it reads, in a JVM of any locale. */
final class LocaleProbe {
  private static final Policy POLICY =
      Policy.builder("items").limit(1_234_567).window(Duration.ofMinutes(90)).build();

  private LocaleProbe() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    // Java's own encoding of the console is the locale's.
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.err.println(Locale.getDefault());
    decision(out);
    settings(out);
    address(out);
  }

  private static void decision(PrintStream out) {
    Decision decision =
        RequestDecision.builder(POLICY, Key.everybody())
            .outcome(Outcome.REFUSED, Reason.QUOTA_EXCEEDED)
            .remaining(POLICY.limit(), 0)
            .after(12_345_678, 12_345_678)
            .build();
    out.println(decision);
    RateLimitFields fields = new RateLimitFields(HeaderDialect.BOTH, stopped());
    fields.of(decision).forEach(each -> out.println(each.name() + ": " + each.value()));
    for (RefusalFormat format : RefusalFormat.values()) {
      RefusalFactory refusals = new RefusalFactory(fields, format, Optional.empty());
      out.println(refusals.of(decision, any -> List.of()).text());
    }
  }

  private static Ticker stopped() {
    return new Ticker() {
      @Override
      public long nanoTime() {
        return 0;
      }

      @Override
      public long epochMicros() {
        return 1_767_225_600_000_000L;
      }
    };
  }

  /** In capitals, since i isn't the small letter of I in every locale. */
  private static void settings(PrintStream out) {
    Map<String, String> given =
        Map.of(
            "weir.headers", "ietf",
            "weir.default.limit", "1234567",
            "weir.default.window", "90M",
            "weir.default.by", "IP",
            "weir.default.algorithm", "SLIDING-WINDOW",
            "weir.default.mode", "ELASTIC");
    try (WeirRuntime weir = new DefaultWeirBuilder().settings(given).build()) {
      weir.endpoint(Item.class, Item.class.getDeclaredMethods()[0], EndpointType.JAXRS);
      weir.table().lines().map(String::stripTrailing).forEach(out::println);
    }
    refused(out, Map.of("weir.store.max-buckets", "0"));
    refused(out, Map.of("weir.on-store-failure", "NIL"));
    refused(out, Map.of("weir.store.timeout", "\u0661\u0660s")); // ten, in Arabic digits
    refused(out, Map.of("weir.store.nodes", "I"));
  }

  private static void refused(PrintStream out, Map<String, String> given) {
    try (WeirRuntime weir = new DefaultWeirBuilder().settings(given).build()) {
      out.println("taken: " + given);
    } catch (RuntimeException mistake) {
      out.println(mistake.getMessage());
    }
  }

  private static void address(PrintStream out) {
    Map<String, String> settings =
        Map.of("weir.secret", "s", "weir.store.redis.verify-host", "TRUE");
    URI address = URI.create("REDIS-SENTINEL://h:1234/master/12");
    try (PermitStore store =
        new RedisProvider()
            .open(address, name -> settings.getOrDefault(name, ""), Ticker.system())) {
      out.println("opened: " + store.size());
    }
  }

  /** An endpoint without an annotation. */
  interface Item {
    @GET
    String get();
  }
}
