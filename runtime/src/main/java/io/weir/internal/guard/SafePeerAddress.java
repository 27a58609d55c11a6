package io.weir.internal.guard;

import io.weir.internal.extension.SafeCalls;
import io.weir.spi.PeerAddress;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks the application's {@link PeerAddress}; where it fails, the address is unknown. Safe for
 * concurrent use.
 */
final class SafePeerAddress implements PeerAddress {
  private final PeerAddress finder;
  private final SafeCalls calls =
      new SafeCalls(
          System.getLogger(SafePeerAddress.class.getName()),
          "the PeerAddress failed: its callers are as if it knew none");

  SafePeerAddress(PeerAddress finder) {
    this.finder = finder;
  }

  @Override
  public Optional<String> of(Object request) {
    return calls.get(
        () -> Objects.requireNonNull(finder.of(request), "null instead of an Optional"),
        Optional.empty());
  }
}
