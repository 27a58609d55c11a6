package io.weir.quarkus.grpc;

import io.grpc.Metadata;
import io.quarkus.grpc.auth.GrpcSecurityMechanism;
import io.quarkus.security.credential.PasswordCredential;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.security.identity.request.UsernamePasswordAuthenticationRequest;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Reads passwords from metadata. */
@Singleton
public class GuestMechanism implements GrpcSecurityMechanism {
  @Override
  public boolean handles(Metadata metadata) {
    return metadata.containsKey(Guests.CREDENTIAL);
  }

  @Override
  public AuthenticationRequest createAuthenticationRequest(Metadata metadata) {
    String[] pair =
        new String(
                Base64.getDecoder()
                    .decode(metadata.get(Guests.CREDENTIAL).substring("Basic ".length())),
                StandardCharsets.UTF_8)
            .split(":", 2);
    return new UsernamePasswordAuthenticationRequest(
        pair[0], new PasswordCredential(pair[1].toCharArray()));
  }
}
