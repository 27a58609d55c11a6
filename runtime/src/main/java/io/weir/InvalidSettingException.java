package io.weir;

/** A setting that can't be used: its message names the setting, its value, its place, the rule. */
public final class InvalidSettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Says what is wrong with one setting, or with several in as many lines.
   *
   * @param message setting, value, place and rule
   */
  public InvalidSettingException(String message) {
    super(message);
  }
}
