package io.weir.spring.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.weir.adapter.Adapter;
import io.weir.grpc.CallUser;
import io.weir.spring.UserName;
import java.util.Optional;

/**
 * Names the user whom Spring Security has signed in for a call.
 *
 * <p>Safe for concurrent use.
 */
final class SecurityUser implements CallUser {
  private final Adapter adapter;

  SecurityUser(Adapter adapter) {
    this.adapter = adapter;
  }

  @Override
  public Optional<String> name(ServerCall<?, ?> call, Metadata headers) {
    return UserName.principalOfThread().flatMap(adapter.userNames()::name);
  }

  @Override
  public Optional<String> issuer(ServerCall<?, ?> call, Metadata headers) {
    return UserName.principalOfThread().flatMap(adapter.userNames()::issuer);
  }
}
