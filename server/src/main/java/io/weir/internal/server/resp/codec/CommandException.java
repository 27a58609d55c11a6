package io.weir.internal.server.resp.codec;

/**
 * A command that can't be executed as it was sent; the next one may. Cheap: it has no stack trace.
 */
public final class CommandException extends Exception {
  private static final long serialVersionUID = 1;

  private CommandException(String reply) {
    super(reply, null, false, false);
  }

  /**
   * An error whose first word is {@code ERR}.
   *
   * @param message what is wrong
   * @return the exception
   */
  public static CommandException of(String message) {
    return new CommandException("ERR " + message);
  }

  /**
   * An error with a first word of its own.
   *
   * @param reply {@code NOAUTH Authentication required.}, say
   * @return the exception
   */
  public static CommandException withCode(String reply) {
    return new CommandException(reply);
  }

  /**
   * For what should be a number.
   *
   * @return the exception
   */
  public static CommandException notInteger() {
    return of("Value is not an integer or out of range");
  }

  /**
   * For options that are unknown, incomplete or there twice.
   *
   * @return the exception
   */
  public static CommandException syntax() {
    return of("Syntax error");
  }

  /**
   * The whole reply, the code included.
   *
   * @return what follows the minus sign
   */
  public String reply() {
    return String.valueOf(getMessage());
  }
}
