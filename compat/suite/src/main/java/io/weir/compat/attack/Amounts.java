package io.weir.compat.attack;

import java.util.List;

/** Queries in which no amount of at most 200 stands that a request could cost. */
public final class Amounts {
  private Amounts() {}

  /**
   * All that was thought of.
   *
   * @return what follows the question mark, escaped
   */
  public static List<String> wrong() {
    return List.of(
        "other=5",
        "amount",
        "amount=",
        "amount=%20",
        "Amount=5",
        "amount=five",
        "amount=1e999",
        "amount=1e1",
        "amount=-1",
        "amount=-0",
        "amount=0x10",
        "amount=+5",
        "amount=%2B5",
        "amount=.5",
        "amount=5,0",
        "amount=%D9%A3",
        "amount=%EF%BC%95",
        "amount=5%00",
        "amount=200.000000001",
        "amount=201",
        "amount=999999999999999",
        "amount=9223372036854775813",
        "amount=" + "9".repeat(400),
        "amount=0." + "0".repeat(400),
        "amount=5&amount=5",
        "amount=5&amoun%74=100",
        "amount=%zz&amount=5",
        "amount=5&amount=%zz");
  }
}
