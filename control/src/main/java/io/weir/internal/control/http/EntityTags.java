package io.weir.internal.control.http;

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
 * Exchanges the versions of rows by header fields: responses carry a version in {@code ETag}, and
 * changes repeat it in {@code If-Match}. So the later of two concurrent changes gets a 409.
 */
public final class EntityTags {
  private static final int REQUIRED = 428;
  private static final int MAX_DIGITS = 18;

  private EntityTags() {}

  /**
   * Reads the version that a change is based on.
   *
   * @throws jakarta.ws.rs.WebApplicationException 428 if it is missing
   * @throws InvalidFieldException if it isn't a version
   */
  public static long required(@Nullable String ifMatch) {
    return given(ifMatch).orElseThrow(EntityTags::missing);
  }

  /** Makes the exception for a change without {@code If-Match} of a row that exists: 428. */
  public static RuntimeException missing() {
    return Problem.of(
            REQUIRED, "If-Match must be the ETag of the version that the change is based on.")
        .exception();
  }

  /** Reads the version that a change is based on, which may be missing. */
  public static OptionalLong given(@Nullable String ifMatch) {
    if (ifMatch == null) {
      return OptionalLong.empty();
    }
    String text = ifMatch.strip();
    if (text.length() > 2 && text.startsWith("\"") && text.endsWith("\"")) {
      text = text.substring(1, text.length() - 1);
    }
    if (text.length() > MAX_DIGITS || !text.matches("[0-9]+")) {
      throw new InvalidFieldException("If-Match", "must be a version such as \"3\"");
    }
    return OptionalLong.of(Long.parseLong(text));
  }

  /**
   * Makes a change.
   *
   * @param change throws {@link ConflictException} if the row has changed since
   * @param now the row's current version; empty if the row is gone
   * @throws jakarta.ws.rs.WebApplicationException 409 with the current version
   */
  public static <T> T change(Supplier<T> change, Supplier<OptionalLong> now) {
    try {
      return change.get();
    } catch (ConflictException changedSince) {
      String detail = String.valueOf(changedSince.getMessage());
      OptionalLong version = now.get();
      throw (version.isPresent()
              ? Problem.conflict(detail, version.getAsLong())
              : Problem.of(Response.Status.CONFLICT.getStatusCode(), detail))
          .exception();
    }
  }

  /** Deletes a row: 204, or 409 as {@link #change} does. */
  public static Response delete(Runnable deletion, Supplier<OptionalLong> now) {
    boolean unused =
        change(
            () -> {
              deletion.run();
              return true;
            },
            now);
    return Response.noContent().build();
  }

  public static <T> OptionalLong of(Optional<T> row, ToLongFunction<T> version) {
    return row.map(each -> OptionalLong.of(version.applyAsLong(each))).orElse(OptionalLong.empty());
  }

  /** Makes a 201 whose {@code Location} is the new row, below the path of all rows. */
  public static Response created(UriInfo parent, long id, Object value, long version) {
    return tagged(Response.Status.CREATED.getStatusCode(), value, version)
        .location(parent.getAbsolutePathBuilder().path(Long.toString(id)).build())
        .build();
  }

  /** Makes a 200 with an {@code ETag}. */
  public static Response ok(Object value, long version) {
    return tagged(Response.Status.OK.getStatusCode(), value, version).build();
  }

  /** Begins a response with an {@code ETag}. */
  public static Response.ResponseBuilder tagged(int status, Object value, long version) {
    return JsonEntity.json(status, value).tag(new EntityTag(Long.toString(version)));
  }
}
