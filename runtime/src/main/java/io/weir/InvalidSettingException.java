package io.weir;

/**
 * Thrown for an invalid setting. The message names the setting, its value, its source, the rule.
 */
public final class InvalidSettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Describes what is wrong with one setting, or with several on a line each.
   *
   * @param message setting, value, source and rule
   */
  public InvalidSettingException(String message) {
    super(message);
  }
}
