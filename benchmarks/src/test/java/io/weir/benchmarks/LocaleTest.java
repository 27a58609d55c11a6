package io.weir.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A figure is written, and read by its next reader, alike wherever it was measured. */
class LocaleTest {
  @ParameterizedTest
  @ValueSource(strings = {"fa-IR", "ar-EG", "tr-TR"})
  void writesTheSameFiguresInEveryLocale(String tag) throws IOException {
    Locale locale = Locale.forLanguageTag(tag);
    List<String> flags =
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-Duser.language=" + locale.getLanguage(),
            "-Duser.country=" + locale.getCountry());
    try (Child child = Child.start(flags, Figures.class)) {
      assertEquals(tag, child.hear());
      assertEquals("suite.figure 12.35 ms", child.hear());
      assertEquals("1235, 29.00 – 33.50", child.hear());
      assertEquals("12.3456", Double.toString(Double.parseDouble(child.hear())));
    }
  }

  /** Is run in the other locale. */
  static final class Figures {
    private Figures() {}

    public static void main(String[] args) {
      System.out.println(Locale.getDefault().toLanguageTag());
      System.out.println(new Figure("suite.figure", 12.3456, "ms", 29, 33.5));
      Figure spread = new Figure("suite.figure", 1, "x", 29.001, 33.5);
      System.out.println(Figure.number(1234.56) + ", " + spread.spread());
      System.out.println(12.3456);
    }
  }
}
