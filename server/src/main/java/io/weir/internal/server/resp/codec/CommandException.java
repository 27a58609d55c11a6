package io.weir.internal.server.resp.codec;

/**
 * Reports a command that can't be executed; the connection goes on. Cheap: it has no stack trace.
 */
public final class CommandException extends Exception {
  private static final long serialVersionUID = 1;

  private CommandException(String reply) {
    super(reply, null, false, false);
  }

  /** Makes an error with the code {@code ERR}. */
  public static CommandException of(String message) {
    return new CommandException("ERR " + message);
  }

  /**
   * Makes an error with another code.
   *
   * @param reply {@code NOAUTH Authentication required.}, say
   */
  public static CommandException withCode(String reply) {
    return new CommandException(reply);
  }

  public static CommandException notInteger() {
    return of("Value is not an integer or out of range");
  }

  /** Makes the error for unknown, incomplete or repeated options. */
  public static CommandException syntax() {
    return of("Syntax error");
  }

  /** Returns the whole reply, including the code: the text after the minus sign. */
  public String reply() {
    return String.valueOf(getMessage());
  }
}
