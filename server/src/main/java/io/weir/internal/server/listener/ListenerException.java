package io.weir.internal.server.listener;

import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;

/** Reports that a listener can't listen. The message names the setting to change. */
public final class ListenerException extends RuntimeException {
  private ListenerException(String message, Throwable cause) {
    super(message, cause);
  }

  static ListenerException of(String protocol, String host, int port, Throwable failure) {
    String reason;
    if (isCausedBy(failure, BindException.class)) {
      reason =
          "port "
              + port
              + " of "
              + host
              + " is taken, or this user may not listen on it; set weir.server."
              + protocol
              + ".port to another port, or to 0 for any free one";
    } else if (isCausedBy(failure, UnknownHostException.class)
        || isCausedBy(failure, UnresolvedAddressException.class)) {
      reason = "weir.server.host: " + host + " isn't an address of this machine";
    } else {
      reason = String.valueOf(failure.getMessage());
    }
    return new ListenerException(protocol + ": " + reason, failure);
  }

  private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
    for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
      if (type.isInstance(each)) {
        return true;
      }
    }
    return false;
  }
}
