package io.weir.internal.rules.nodes;

import io.weir.Ticker;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Gives the facts about this node that its reports have, beside its decisions.
 *
 * @param name the name that is set; blank if none is
 * @param application the application's name; empty if it has none
 * @param clock the application's time
 * @param isStoreAway returns whether the store can't be reached
 * @param dropped returns the number of requests whose usage was dropped
 * @param rulesVersion returns the number of the newest change that is in force
 */
public record NodeFacts(
    String name,
    Optional<String> application,
    Ticker clock,
    BooleanSupplier isStoreAway,
    LongSupplier dropped,
    LongSupplier rulesVersion) {
  /** Throws {@link IllegalArgumentException} if the name can't be a node's. */
  public NodeFacts {
    NodeName.check(name);
  }
}
