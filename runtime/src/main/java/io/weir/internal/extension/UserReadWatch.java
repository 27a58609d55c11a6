package io.weir.internal.extension;

import io.weir.spi.RequestInfo;
import java.util.Optional;

/**
 * Shows a request unchanged, and records whether its user is read.
 *
 * <p>Used by one thread at a time.
 */
public final class UserReadWatch extends ForwardingRequestInfo {
  private boolean userRead;

  public UserReadWatch(RequestInfo request) {
    super(request);
  }

  /** Returns whether the user, or its issuer, was read. */
  public boolean isUserRead() {
    return userRead;
  }

  @Override
  public Optional<String> user() {
    userRead = true;
    return super.user();
  }

  @Override
  public Optional<String> issuer() {
    userRead = true;
    return super.issuer();
  }
}
