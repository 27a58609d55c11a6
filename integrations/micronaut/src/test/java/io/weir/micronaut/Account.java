package io.weir.micronaut;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.authentication.AuthenticationRequest;
import io.micronaut.security.authentication.AuthenticationResponse;
import io.micronaut.security.authentication.provider.HttpRequestAuthenticationProvider;
import io.micronaut.security.rules.SecurityRule;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.testkit.FakeTicker;
import jakarta.inject.Singleton;

/** Endpoints of users, limited as a class. */
@Requires(property = "test.shop")
@Controller("/account")
@Secured(SecurityRule.IS_AUTHENTICATED)
@RateLimit(limit = 3, window = 60, by = By.IP, name = "account")
class Account {
  @Get
  @RateLimit(limit = 2, window = 60, by = By.USER, name = "account-user")
  String name() {
    return "account";
  }

  @Get("/free")
  String free() {
    return helper();
  }

  /** Answers no request, so the limit of the class doesn't count it. */
  public String helper() {
    return "free";
  }

  /** Signs in users by Basic authentication. */
  @Requires(property = "test.shop")
  @Singleton
  static class SignIn<B> implements HttpRequestAuthenticationProvider<B> {
    @Override
    public AuthenticationResponse authenticate(
        @Nullable HttpRequest<B> request, AuthenticationRequest<String, String> credentials) {
      return credentials.getSecret().equals("secret")
          ? AuthenticationResponse.success(credentials.getIdentity())
          : AuthenticationResponse.failure();
    }
  }

  @Factory
  @Requires(property = "test.shop")
  static class Clock {
    @Singleton
    FakeTicker ticker() {
      return new FakeTicker();
    }
  }
}
