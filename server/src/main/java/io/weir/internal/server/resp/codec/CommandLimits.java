package io.weir.internal.server.resp.codec;

/**
 * How large a command may be. Immutable.
 *
 * @param arguments how many, the name included
 * @param bytes how long it is as sent, all together
 */
public record CommandLimits(int arguments, int bytes) {
  /** Before a sign-in. */
  public static final CommandLimits STRANGER = new CommandLimits(10, 16 * 1024);

  /** After it. */
  public static final CommandLimits KNOWN = new CommandLimits(1_024, 64 * 1024);
}
