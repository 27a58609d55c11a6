package io.weir.quarkus.grpc;

import io.grpc.Metadata;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.IdentityProvider;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.UsernamePasswordAuthenticationRequest;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;

/** Signs in whoever has the password {@code secret}, later and in another thread. */
final class Guests {
  static final Metadata.Key<String> CREDENTIAL =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private Guests() {}

  static Metadata basic(String user, String password) {
    Metadata sent = new Metadata();
    sent.put(
        CREDENTIAL,
        "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
    return sent;
  }

  /** Checks passwords. */
  @ApplicationScoped
  public static class Passwords implements IdentityProvider<UsernamePasswordAuthenticationRequest> {
    static final AtomicInteger CHECKED = new AtomicInteger();

    @Override
    public Class<UsernamePasswordAuthenticationRequest> getRequestType() {
      return UsernamePasswordAuthenticationRequest.class;
    }

    @Override
    public Uni<SecurityIdentity> authenticate(
        UsernamePasswordAuthenticationRequest request, AuthenticationRequestContext context) {
      return context.runBlocking(
          () -> {
            CHECKED.incrementAndGet();
            if (!new String(request.getPassword().getPassword()).equals("secret")) {
              throw new AuthenticationFailedException();
            }
            return QuarkusSecurityIdentity.builder()
                .setPrincipal(new QuarkusPrincipal(request.getUsername()))
                .build();
          });
    }
  }
}
