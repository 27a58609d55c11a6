package io.weir.spring;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Makes JSON web tokens of several issuers, which share a key. */
public final class SignedTokens {
  public static final String ONE = "https://one.example";
  public static final String OTHER = "https://other.example";

  private static final byte[] SECRET =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private SignedTokens() {}

  public static SecretKey key() {
    return new SecretKeySpec(SECRET, "HmacSHA256");
  }

  /** Returns the value of the header field that signs in a user. */
  public static String bearer(String issuer, String user) {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.HS256),
            new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject(user)
                .expirationTime(Date.from(Instant.now().plusSeconds(3600)))
                .build());
    try {
      token.sign(new MACSigner(SECRET));
    } catch (JOSEException impossible) {
      throw new AssertionError(impossible);
    }
    return "Bearer " + token.serialize();
  }
}
