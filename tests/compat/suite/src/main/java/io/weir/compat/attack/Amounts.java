package io.weir.compat.attack;

import java.util.List;

/** Queries without a valid cost of at most 200. */
public final class Amounts {
  private Amounts() {}

  /**
   * Returns all such queries.
   *
   * @return the queries after the question mark, escaped
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
        "amount=9223372036854775813",
        "amount=" + "9".repeat(400),
        "amount=0." + "0".repeat(400),
        "amount=5&amount=5",
        "amount=5&amoun%74=100");
  }

  /** Parameters that cost more than a limit of 200 ever has. */
  public static List<String> excessive() {
    return List.of("amount=200.000000001", "amount=201", "amount=999999999999999");
  }
}
