package io.weir.locale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that Weir reads and writes the same in every locale. */
class LocaleTest {
  private static final Pattern LANGUAGE = Pattern.compile("-Duser\\.language=(\\w+)");

  private static final List<String> WORDS =
      List.of(
          "REFUSED (QUOTA_EXCEEDED) by items: 0 of 1234567 left, took 0, reset after 12.345678 s,"
              + " retry after 12.345678 s",
          "RateLimit-Policy: \"items\";q=1234567;w=5400",
          "RateLimit: \"items\";r=0;t=13",
          "X-RateLimit-Limit: 1234567",
          "X-RateLimit-Remaining: 0",
          "X-RateLimit-Reset: 1767225613",
          "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
              + "\"title\":\"Quota exceeded\",\"status\":429,\"detail\":\"Policy items admits "
              + "1234567 requests per 90 minutes.\",\"error\":\"Rate limit exceeded\","
              + "\"violated-policies\":[\"items\"],\"retryAfter\":13}",
          "{\"error\": \"Rate limit exceeded\", \"retryAfter\": 13}",
          "endpoint  policy                     limit            by  mode",
          "Item#get  default.Item.get-b63c31fa  1234567 per 90m  IP  ELASTIC +10%",
          "weir.store.max-buckets = '0' (init parameter): must be a whole number, 1 to 100,000,000",
          "weir.on-store-failure = 'NIL' (init parameter): must be one of local, open, closed",
          "weir.store.timeout = '\u0661\u0660s' (init parameter): must be a duration "
              + "such as 500ms, 10s, 1m, 2h, 1d or PT10S; a bare number is seconds",
          "weir.store.nodes = 'I' (init parameter): must be a whole number, 1 to 1,000,000",
          "opened: 0");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"fa-IR", "ar-EG", "tr-TR"})
  void saysTheSameInEveryLocale(String tag) throws Exception {
    Locale locale = Locale.forLanguageTag(tag);
    List<String> flags =
        List.of("-Duser.language=" + locale.getLanguage(), "-Duser.country=" + locale.getCountry());
    assertEquals(WORDS, words(locale, flags, ""));
  }

  @Test
  void theLocaleThatTheEnvironmentSetsArrives() throws Exception {
    String options = "-Duser.language=fa -Duser.country=IR";
    assertEquals(WORDS, words(Locale.forLanguageTag("fa-IR"), List.of(), options));
  }

  @Test
  void theLocaleThatTheBuildIsGivenArrivesInItsTests() {
    Matcher language = LANGUAGE.matcher(String.valueOf(System.getenv("JAVA_TOOL_OPTIONS")));
    if (language.find()) {
      assertEquals(language.group(1), Locale.getDefault().getLanguage());
    }
  }

  private List<String> words(Locale locale, List<String> flags, String options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(List.of("-XX:TieredStopAtLevel=1"));
    command.addAll(flags);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), LocaleProbe.class.getName()));
    Path out = directory.resolve("out");
    Path log = directory.resolve("log");
    ProcessBuilder builder = new ProcessBuilder(command);
    if (!options.isEmpty()) {
      builder.environment().put("JAVA_TOOL_OPTIONS", options);
    }
    Process process =
        builder.redirectOutput(Redirect.to(out.toFile())).redirectError(log.toFile()).start();
    assertEquals(0, process.waitFor(), () -> read(log));
    assertTrue(read(log).lines().anyMatch(locale.toString()::equals), () -> read(log));
    return read(out).lines().toList();
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
