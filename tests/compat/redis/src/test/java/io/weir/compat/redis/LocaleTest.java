package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RateLimiter;
import io.weir.seeds.Seeds;
import io.weir.test.log.LogLines;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A node writes to its Redis what every other node writes, wherever it runs. */
class LocaleTest {
  /** One locale each day; all with {@code -Pdeep}. */
  static List<String> locales() {
    return Seeds.today(List.of("fa-IR", "ar-EG", "tr-TR"), 3);
  }

  @ParameterizedTest
  @MethodSource("locales")
  void aNodeOfAnotherLocaleDisturbsNobody(String locale) throws Exception {
    try (LogLines log = new LogLines();
        RedisServer server = RedisServer.start();
        RateLimiter here = LocaleNode.node(server.url())) {
      assertEquals(0, LocaleNode.degraded(here, Duration.ZERO));
      Process there = start(locale, server.url());
      int degraded = 0;
      while (there.isAlive()) {
        degraded += LocaleNode.degraded(here, Duration.ZERO);
      }
      assertEquals(locale + " 0", output(there), "it wasn't decided by the store there");
      assertEquals(0, degraded, "nor here, where all was well");
      assertEquals(List.of(), log.warnings());
    }
  }

  @Test
  void theLocaleThatTheBuildIsGivenArrivesInItsTests() {
    String options = String.valueOf(System.getenv("JAVA_TOOL_OPTIONS"));
    Matcher language = Pattern.compile("-Duser\\.language=(\\w+)").matcher(options);
    if (language.find()) {
      assertEquals(language.group(1), Locale.getDefault().getLanguage());
    }
  }

  private static Process start(String locale, String url) throws IOException {
    Locale wanted = Locale.forLanguageTag(locale);
    List<String> command =
        List.of(
            System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
            "-XX:TieredStopAtLevel=1",
            "-Duser.language=" + wanted.getLanguage(),
            "-Duser.country=" + wanted.getCountry(),
            "-cp",
            System.getProperty("java.class.path"),
            LocaleNode.class.getName(),
            url);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String output(Process ended) throws IOException, InterruptedException {
    assertTrue(ended.waitFor(1, TimeUnit.MINUTES));
    return new String(ended.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
