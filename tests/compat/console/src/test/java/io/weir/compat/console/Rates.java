package io.weir.compat.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Compares rates with how the pages write them. */
final class Rates {
  private static final double SHOWN = 0.005;

  private Rates() {}

  /** Returns a rate as the page writes it. */
  static String text(double number) {
    if (number == 0) {
      return "0";
    }
    if (number < SHOWN) {
      return "< 0.01";
    }
    int digits = number < 10 ? 2 : number < 100 ? 1 : 0;
    return BigDecimal.valueOf(number).setScale(digits, RoundingMode.HALF_UP).toPlainString();
  }

  /** Returns whether the page "Now" shows one of the sums. */
  static boolean isShown(Browser browser, JsonNode totals, String outcome) {
    return browser.text("#value-" + outcome).equals(text(totals.path(outcome).asDouble()) + "/s");
  }
}
