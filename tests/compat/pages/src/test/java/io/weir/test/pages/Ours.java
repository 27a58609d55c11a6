package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.WeirBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Holds what the second columns of docs/moving.md have in common. */
final class Ours {
  /** What the page imports for its second columns. */
  static final String IMPORTS =
      MarkdownPage.read("moving.md").blocks("Moving here", "java").get(0).text();

  static final String VARIABLES = "RateLimiter limiter, Policy policy, Key key, Decision decision";

  private Ours() {}

  /** Endpoints of the policy {@code api}, whose limit a setting changes. */
  static final class Buckets {
    private Buckets() {}

    /** A token bucket. */
    public static final class Token {
      /** Ten at once, ten a minute. */
      @RateLimit(
          name = "api",
          limit = 10,
          window = 60,
          by = By.ENDPOINT,
          algorithm = Algorithm.TOKEN_BUCKET)
      public void limited() {}
    }

    /** A fixed window. */
    public static final class Fixed {
      /** Ten a minute. */
      @RateLimit(
          name = "api",
          limit = 10,
          window = 60,
          by = By.ENDPOINT,
          algorithm = Algorithm.FIXED_WINDOW)
      public void limited() {}
    }
  }

  /** An application in which a setting of the page takes effect. Confine to one thread. */
  static final class Live implements AutoCloseable {
    private final Map<String, String> settings = new HashMap<>();
    private final String setting;
    private final AnnotatedEndpoint endpoint;

    Live(String setting, Algorithm algorithm) {
      this(setting, algorithm, builder -> builder);
    }

    Live(String setting, Algorithm algorithm, UnaryOperator<WeirBuilder> parts) {
      this.setting = setting;
      Class<?> type =
          algorithm == Algorithm.TOKEN_BUCKET ? Buckets.Token.class : Buckets.Fixed.class;
      this.endpoint =
          new AnnotatedEndpoint(
              type, builder -> parts.apply(builder.liveSettings(() -> Map.copyOf(settings))));
    }

    void take(int permits) {
      for (int i = 0; i < permits; i++) {
        assertTrue(endpoint.admits());
      }
    }

    /** Makes the setting, as the page writes it. */
    void change() {
      String[] parts = setting.split("=", 2);
      settings.put(parts[0], parts[1]);
      endpoint.weir().refresh();
    }

    void advance(Duration time) {
      endpoint.advance(time);
    }

    /** Returns what is left. */
    long left() {
      return endpoint.left();
    }

    @Override
    public void close() {
      endpoint.close();
    }
  }
}
