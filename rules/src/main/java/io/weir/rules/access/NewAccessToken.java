package io.weir.rules.access;

/**
 * Holds a token that was just created, with its secret, which can't be read again.
 *
 * @param token the token
 * @param secret the text that clients send: {@code weir_} and 43 letters and digits, 256 random
 *     bits
 */
public record NewAccessToken(AccessToken token, String secret) {
  /** Returns no secret, so that none gets into logs. */
  @Override
  public String toString() {
    return "new token " + token.id();
  }
}
