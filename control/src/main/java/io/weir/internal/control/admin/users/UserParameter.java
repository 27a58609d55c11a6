package io.weir.internal.control.admin.users;

import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.resource.Described;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import org.jspecify.annotations.Nullable;

/**
 * The user that a request is about: from the path, where that has a user, or else from the query.
 *
 * <p>Confine to one request.
 */
public final class UserParameter {
  private static final String NAME = "userId";

  /** As long as the tables keep the names of users. */
  private static final int MAX_LENGTH = 500;

  @PathParam(NAME)
  private @Nullable String inPath;

  @QueryParam(NAME)
  @Described("The user; the name may have any characters")
  private @Nullable String inQuery;

  /** Made by JAX-RS. */
  public UserParameter() {}

  /** Returns the name; from the path even if no user can have it. */
  String name() {
    return inPath == null ? valid(inQuery) : inPath;
  }

  String validName() {
    return valid(name());
  }

  private static String valid(@Nullable String name) {
    return FieldReader.required(NAME, name, MAX_LENGTH);
  }
}
