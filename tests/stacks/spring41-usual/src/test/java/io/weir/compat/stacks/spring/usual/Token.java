package io.weir.compat.stacks.spring.usual;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs tokens as an identity provider does. */
final class Token {
  /** The same as in the application's settings. */
  private static final String KEY = "a key of at least thirty-two characters";

  private Token() {}

  /** Returns a new token, which differs from all others of the same user. */
  static String of(String user) throws GeneralSecurityException {
    String claims =
        "{\"sub\":\"%s\",\"jti\":\"%s\",\"exp\":%s}"
            .replaceFirst("%s", user)
            .replaceFirst("%s", UUID.randomUUID().toString())
            .replaceFirst("%s", Long.toString(Instant.now().getEpochSecond() + 3600));
    String signed = encode("{\"alg\":\"HS256\"}") + "." + encode(claims);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return signed + "." + encode(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
  }

  private static String encode(String text) {
    return encode(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
