package io.weir.internal.server.listener;

import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;

/** A door can't be opened. The message says which setting helps. */
public final class ListenerException extends RuntimeException {
  private ListenerException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Says why.
   *
   * @param door its name
   * @param host the address it was to listen on
   * @param port the port
   * @param failure what was thrown
   * @return an exception for people
   */
  public static ListenerException of(String door, String host, int port, Throwable failure) {
    String reason;
    if (isCausedBy(failure, BindException.class)) {
      reason =
          "port "
              + port
              + " of "
              + host
              + " is taken, or not ours to listen on; weir.server."
              + door
              + ".port names another one, and 0 takes any";
    } else if (isCausedBy(failure, UnknownHostException.class)
        || isCausedBy(failure, UnresolvedAddressException.class)) {
      reason = "weir.server.host: " + host + " is no address of this machine";
    } else {
      reason = String.valueOf(failure.getMessage());
    }
    return new ListenerException(door + ": " + reason, failure);
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
