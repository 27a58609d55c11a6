package io.weir.guard;

import io.weir.key.PeerAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks the application's {@link PeerAddress}, and knows no address where that fails: its trouble
 * must not become the request's. Safe for concurrent use.
 */
final class GuardedPeer implements PeerAddress {
  private static final System.Logger LOG = System.getLogger(GuardedPeer.class.getName());

  private final PeerAddress finder;
  private final AtomicBoolean warned = new AtomicBoolean();

  GuardedPeer(PeerAddress finder) {
    this.finder = finder;
  }

  @Override
  public Optional<String> of(Object request) {
    try {
      return Objects.requireNonNull(finder.of(request), "null instead of an Optional");
    } catch (RuntimeException | LinkageError broken) {
      warn(broken);
      return Optional.empty();
    }
  }

  private void warn(Throwable broken) {
    if (warned.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the PeerAddress failed: its callers are as if it knew none (said once)",
          broken);
    }
  }
}
