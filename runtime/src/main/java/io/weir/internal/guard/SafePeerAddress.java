package io.weir.internal.guard;

import io.weir.internal.extension.PartFailures;
import io.weir.spi.PeerAddress;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks the application's {@link PeerAddress}, and knows no address where that fails: its trouble
 * must not become the request's. Safe for concurrent use.
 */
final class SafePeerAddress implements PeerAddress {
  private final PeerAddress finder;
  private final PartFailures failures =
      new PartFailures(
          System.getLogger(SafePeerAddress.class.getName()),
          "the PeerAddress failed: its callers are as if it knew none");

  SafePeerAddress(PeerAddress finder) {
    this.finder = finder;
  }

  @Override
  public Optional<String> of(Object request) {
    try {
      return Objects.requireNonNull(finder.of(request), "null instead of an Optional");
    } catch (Throwable broken) {
      failures.report(broken);
      return Optional.empty();
    }
  }
}
