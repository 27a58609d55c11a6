package io.weir.internal.control.admin;

import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.rules.problem.ConflictException;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The versions of rows as HTTP has them: told in {@code ETag}, and named in {@code If-Match} by who
 * changes a row. So of two who change it at once one is told of the other.
 */
final class Versions {
  private static final int REQUIRED = 428;
  private static final int LONGEST = 18;

  private Versions() {}

  /**
   * The version that a change was made from.
   *
   * @param ifMatch the header field; null if it is missing
   * @return the version
   * @throws jakarta.ws.rs.WebApplicationException 428 if it is missing
   * @throws InvalidFieldException if it isn't a version
   */
  static long required(@Nullable String ifMatch) {
    return given(ifMatch).orElseThrow(Versions::missing);
  }

  /** Of a row that is there, nobody said which version is to be changed: 428. */
  static RuntimeException missing() {
    return Problem.of(
            REQUIRED,
            "If-Match must name the version that the change was made from, as ETag told it.")
        .exception();
  }

  /** The same where there may be none. */
  static OptionalLong given(@Nullable String ifMatch) {
    if (ifMatch == null) {
      return OptionalLong.empty();
    }
    String text = ifMatch.strip();
    if (text.length() > 2 && text.startsWith("\"") && text.endsWith("\"")) {
      text = text.substring(1, text.length() - 1);
    }
    if (text.length() > LONGEST || !text.matches("[0-9]+")) {
      throw new InvalidFieldException("If-Match", "must be a version such as \"3\"");
    }
    return OptionalLong.of(Long.parseLong(text));
  }

  /**
   * Makes a change.
   *
   * @param <T> what it brings
   * @param change throws {@link ConflictException} if somebody else was faster
   * @param now the row's version after that; nothing if it is gone
   * @return what the change brought
   * @throws jakarta.ws.rs.WebApplicationException 409 with the version in force
   */
  static <T> T changing(Supplier<T> change, Supplier<OptionalLong> now) {
    try {
      return change.get();
    } catch (ConflictException faster) {
      String detail = String.valueOf(faster.getMessage());
      OptionalLong version = now.get();
      throw (version.isPresent()
              ? Problem.conflict(detail, version.getAsLong())
              : Problem.of(Response.Status.CONFLICT.getStatusCode(), detail))
          .exception();
    }
  }

  /** Deletes a row: 204, or as {@link #changing} does. */
  static Response deleting(Runnable deletes, Supplier<OptionalLong> now) {
    boolean unused =
        changing(
            () -> {
              deletes.run();
              return true;
            },
            now);
    return Response.noContent().build();
  }

  /** The version of a row, if there is one. */
  static <T> OptionalLong of(Optional<T> row, ToLongFunction<T> version) {
    return row.map(each -> OptionalLong.of(version.applyAsLong(each))).orElse(OptionalLong.empty());
  }

  /** The answer that a row is there now, which has its number behind the path of all. */
  static Response created(UriInfo all, long id, Object value, long version) {
    return tagged(Response.Status.CREATED.getStatusCode(), value, version)
        .location(all.getAbsolutePathBuilder().path(Long.toString(id)).build())
        .build();
  }

  /** An answer that tells a version. */
  static Response ok(Object value, long version) {
    return tagged(Response.Status.OK.getStatusCode(), value, version).build();
  }

  /** The same with another status, to be completed. */
  static Response.ResponseBuilder tagged(int status, Object value, long version) {
    return JsonEntity.json(status, value).tag(new EntityTag(Long.toString(version)));
  }
}
