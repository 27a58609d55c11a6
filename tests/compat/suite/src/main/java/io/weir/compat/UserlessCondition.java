package io.weir.compat;

import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import java.util.function.Predicate;

/** A condition that says that it needs no user, whatever it reads. */
public record UserlessCondition(Predicate<RequestInfo> condition) implements RequestCondition {
  /** The name of one that reads no user: it holds for requests with {@code ?password}. */
  public static final String OF_PASSWORDS = "passwords";

  /** The name of one that holds for users, and so reads them. */
  public static final String OF_USERS = "users";

  /** Returns the one of passwords. */
  public static UserlessCondition ofPasswords() {
    return new UserlessCondition(request -> request.query("password").isPresent());
  }

  /** Returns the one of users. */
  public static UserlessCondition ofUsers() {
    return new UserlessCondition(request -> request.user().isPresent());
  }

  @Override
  public boolean test(RequestInfo request) {
    return condition.test(request);
  }

  @Override
  public boolean needsUser() {
    return false;
  }
}
