package io.weir.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServletsWithoutUserFilterTest {
  @ParameterizedTest
  @CsvSource({
    "/*, /*, /, false",
    "/*, /*, /a/*, false",
    "/*, /a/*, /a/*, false",
    "/*, /a/*, /a, false",
    "/*, /a/*, /a/b/*, false",
    "/*, /a/*, /ab, true",
    "/*, /a/*, /, true",
    "/*, /a/b/*, /a/*, true",
    "/*, /a, /a, false",
    "/*, /a/b, /a/*, true",
    "/*, *.do, *.do, false",
    "/*, *.do, /x.do, false",
    "/*, *.do, /a/*, true",
    "/*, /a/*, *.do, true",
    "/*, '/a/*, /b/*', /b/c, false",
    "/a/*, /a/*, /, false",
    "/a/*, /a/*, *.do, false",
    "/a/*, /b/*, *.do, true",
    "/a/*, /b/*, /c/*, false",
    "/a/*, /b/*, /a/c, true",
    "/a/*, /b/*, /, true",
    "/a/*, /b/*, /b, false",
    "'/a/*, /c/*', /a/*, /c/d, true",
    "*.do, *.do, /, false",
    "*.do, /a/*, /a/*, false",
    "*.do, *.jsp, /a/*, true",
    "*.do, *.jsp, *.jsp, false",
    "/x, /y, /x, true",
    "/x, /y, /y, false",
    "/x, /x, /*, false",
    "/x, /y, /*, true"
  })
  void policiesByUserAreLeftWhereTheSecondFilterIsNotMapped(
      String first, String rest, String servlet, boolean left) {
    assertEquals(
        left,
        ServletsWithoutUserFilter.isUndecided(
            List.of(first.split(", ")), List.of(rest.split(", ")), servlet));
  }
}
