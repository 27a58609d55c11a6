package io.weir.internal.extension;

import io.weir.spi.PeerAddress;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks the application's {@link PeerAddress}; if it fails, the address is unknown. Safe for
 * concurrent use.
 */
public final class SafePeerAddress implements PeerAddress {
  private final PeerAddress finder;
  private final SafeCalls calls =
      new SafeCalls(
          System.getLogger(SafePeerAddress.class.getName()),
          "the PeerAddress failed: the address of such callers is unknown");

  public SafePeerAddress(PeerAddress finder) {
    this.finder = finder;
  }

  @Override
  public Optional<String> of(Object request) {
    return calls.get(
        () -> Objects.requireNonNull(finder.of(request), "null instead of an Optional"),
        Optional.empty());
  }
}
