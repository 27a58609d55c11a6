package io.weir.internal.extension;

import io.weir.spi.RequestInfo;
import java.util.Optional;

/**
 * Shows a request unchanged, and records whether its user is read.
 *
 * <p>Used by one thread at a time.
 */
final class UserReadWatch extends ForwardingRequestInfo {
  private boolean userRead;

  UserReadWatch(RequestInfo request) {
    super(request);
  }

  boolean isUserRead() {
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
