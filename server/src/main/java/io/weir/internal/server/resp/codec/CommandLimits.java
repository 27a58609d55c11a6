package io.weir.internal.server.resp.codec;

/**
 * The limits of a command's size. Immutable.
 *
 * @param arguments the most arguments, including the name
 * @param bytes the most bytes of the whole command as sent
 */
public record CommandLimits(int arguments, int bytes) {
  public static final CommandLimits UNAUTHENTICATED = new CommandLimits(10, 16 * 1024);

  public static final CommandLimits AUTHENTICATED = new CommandLimits(1_024, 64 * 1024);
}
