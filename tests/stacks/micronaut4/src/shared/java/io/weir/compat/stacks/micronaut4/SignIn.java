package io.weir.compat.stacks.micronaut4;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.AuthenticationRequest;
import io.micronaut.security.authentication.AuthenticationResponse;
import io.micronaut.security.authentication.provider.HttpRequestAuthenticationProvider;
import jakarta.inject.Singleton;

/** Signs in users by Basic authentication. All have the same password. */
@Singleton
class SignIn<B> implements HttpRequestAuthenticationProvider<B> {
  @Override
  public AuthenticationResponse authenticate(
      @Nullable HttpRequest<B> request, AuthenticationRequest<String, String> credentials) {
    return credentials.getSecret().equals("secret")
        ? AuthenticationResponse.success(credentials.getIdentity())
        : AuthenticationResponse.failure();
  }
}
