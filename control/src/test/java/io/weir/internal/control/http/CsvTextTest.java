package io.weir.internal.control.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "alice | alice",
        "a-b=c@d | a-b=c@d",
        "=1+1 | '=1+1",
        "＝1 | '＝1",
        "x;=1+1 | \"x;'=1+1\"",
        "x; =1+1 | \"x; '=1+1\"",
        "x;\"=1+1\" | \"x;\"\"'=1+1\"\"\"",
        "~x\t@SUM(1)~ | ~\"x\t'@SUM(1)\"~",
        "~x\n-1~ | ~\"x\n'-1\"~",
        "~\t=1~ | ~\"'\t=1\"~",
        "~\tx~ | ~\"'\tx\"~",
        "x;y | \"x;y\"",
        "a,=b | \"a,=b\"",
      })
  void noCellIsAFormula(String value, String cell) {
    String text =
        new String(
            new CsvText(List.of("a", "b")).line(List.of(1, value)).utf8(), StandardCharsets.UTF_8);
    assertEquals("a,b\r\n1," + cell + "\r\n", text);
  }
}
