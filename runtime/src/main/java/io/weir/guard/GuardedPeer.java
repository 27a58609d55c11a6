package io.weir.guard;

import io.weir.extension.PartFailures;
import io.weir.key.PeerAddress;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks the application's {@link PeerAddress}, and knows no address where that fails: its trouble
 * must not become the request's. Safe for concurrent use.
 */
final class GuardedPeer implements PeerAddress {
  private final PeerAddress finder;
  private final PartFailures failures =
      new PartFailures(
          System.getLogger(GuardedPeer.class.getName()),
          "the PeerAddress failed: its callers are as if it knew none");

  GuardedPeer(PeerAddress finder) {
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
