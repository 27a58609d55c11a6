package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.security.Authenticated;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.IdentityProvider;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.UsernamePasswordAuthenticationRequest;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.smallrye.mutiny.Uni;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Checks that hold whenever Quarkus Security signs in. */
abstract class SecurityChecks {
  static QuarkusUnitTest application() {
    return new QuarkusUnitTest()
        .withApplicationRoot(
            jar -> jar.addClasses(Users.class, Vault.class, Client.class, SecurityChecks.class))
        .overrideConfigKey("quarkus.http.auth.basic", "true")
        .overrideRuntimeConfigKey("weir.proxy.trusted", "127.0.0.1");
  }

  /** Signs anybody in by the password {@code secret}. */
  @ApplicationScoped
  public static class Users implements IdentityProvider<UsernamePasswordAuthenticationRequest> {
    @Override
    public Class<UsernamePasswordAuthenticationRequest> getRequestType() {
      return UsernamePasswordAuthenticationRequest.class;
    }

    @Override
    public Uni<SecurityIdentity> authenticate(
        UsernamePasswordAuthenticationRequest request, AuthenticationRequestContext context) {
      if (!new String(request.getPassword().getPassword()).equals("secret")) {
        return Uni.createFrom().failure(new AuthenticationFailedException());
      }
      return Uni.createFrom()
          .item(
              QuarkusSecurityIdentity.builder()
                  .setPrincipal(new QuarkusPrincipal(request.getUsername()))
                  .build());
    }
  }

  /** Resources for those who have signed in, or may have. */
  @Path("/vault")
  public static class Vault {
    @GET
    @Path("login")
    @Authenticated
    @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "login")
    public String login() {
      return "welcome";
    }

    @GET
    @Path("mine")
    @Authenticated
    @RateLimit(limit = 1, window = 60, by = By.USER, name = "mine")
    public Uni<String> mine() {
      return Uni.createFrom().item("mine");
    }

    @GET
    @Path("open")
    @RateLimit(limit = 1, window = 60, by = By.USER, name = "open")
    public String open() {
      return "open";
    }
  }

  @TestHTTPResource URI base;

  private HttpResponse<String> get(String path, String address, String user, String password)
      throws Exception {
    return new Client(base)
        .get(
            "/vault/" + path,
            "Authorization",
            Client.basic(user, password),
            "X-Forwarded-For",
            address);
  }

  @Test
  void countsRequestsThatTheSignInRejects() throws Exception {
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> rejected = get("login", "203.0.113.1", "anna", "wrong-" + i);
      assertEquals(401, rejected.statusCode());
      assertTrue(rejected.headers().firstValue("RateLimit").isPresent());
    }
    assertEquals(429, get("login", "203.0.113.1", "anna", "secret").statusCode());
    assertEquals(200, get("login", "203.0.113.2", "anna", "secret").statusCode());
    assertEquals(
        429,
        new Client(base)
            .get(
                "/vault/login;a=b/",
                "Authorization",
                Client.basic("anna", "wrong"),
                "X-Forwarded-For",
                "203.0.113.1")
            .statusCode(),
        "another spelling of the path");
  }

  @Test
  void countsByTheUserOfQuarkusSecurity() throws Exception {
    for (String each : new String[] {"mine", "open"}) {
      assertEquals(200, get(each, "203.0.113.3", each + "-anna", "secret").statusCode());
      assertEquals(200, get(each, "203.0.113.3", each + "-ben", "secret").statusCode());
      assertEquals(429, get(each, "203.0.113.4", each + "-anna", "secret").statusCode());
    }
  }
}
