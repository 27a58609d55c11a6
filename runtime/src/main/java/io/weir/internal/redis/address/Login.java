package io.weir.internal.redis.address;

/**
 * Who connects. Its text shows no password.
 *
 * <p>Immutable.
 *
 * @param user empty for the default user
 * @param password empty for none
 */
public record Login(String user, String password) {
  /** Nobody in particular. */
  public static final Login NONE = new Login("", "");

  /**
   * The same with what a setting says instead, as far as it says anything.
   *
   * @param otherUser empty to keep the user
   * @param otherPassword empty to keep the password
   * @return a login
   */
  public Login or(String otherUser, String otherPassword) {
    return new Login(
        otherUser.isEmpty() ? user : otherUser, otherPassword.isEmpty() ? password : otherPassword);
  }

  @Override
  public String toString() {
    return user;
  }
}
