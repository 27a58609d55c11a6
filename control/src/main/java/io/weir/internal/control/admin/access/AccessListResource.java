package io.weir.internal.control.admin.access;

import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.http.EntityTags;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.http.RowWarnings;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.paging.Cursor;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.AccessListRepository;
import io.weir.rules.AccessListRow;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Administers the entries of the access list that are in the database, and lists and lifts bans;
 * entries of settings and files aren't here. Safe for concurrent use.
 */
@Path("/v1/admin/ratelimit/access")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class AccessListResource {
  private static final int CREATED = 201;

  private final AccessListRepository entries;

  public AccessListResource(AccessListRepository entries) {
    this.entries = entries;
  }

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List the entries of the access list, the newest first",
      answer = AccessEntryDocument.class,
      answers = Many.PAGE)
  public Response list(
      @BeanParam PageRequest page,
      @QueryParam("action") @Described("Only the entries with this action") @Nullable String action,
      @QueryParam("subject")
          @Described("Only the entries of this subject, such as user:alice; in one page")
          @Nullable String subject) {
    Optional<AccessAction> wanted = FieldReader.optional("action", action, AccessAction.class);
    if (subject != null) {
      List<AccessListRow> all = entries.of(AccessEntryDocument.subject(subject));
      return JsonEntity.ok(
          new Page<>(
              all.stream()
                  .filter(each -> wanted.isEmpty() || each.entry().action() == wanted.get())
                  .map(AccessListResource::document)
                  .toList(),
              null));
    }
    long before = page.cursor(1).map(cursor -> cursor.number(0)).orElse(Long.MAX_VALUE);
    return JsonEntity.ok(
        Page.of(
            entries.list(wanted, before, page.rowsToRead()),
            page,
            last -> Cursor.of(last.id()),
            AccessListResource::document));
  }

  private static AccessEntryDocument document(AccessListRow row) {
    return AccessEntryDocument.of(row, null);
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(value = ControlRole.ADMIN, dryRun = ControlRole.VIEW)
  @Operation(
      value = "Add an entry to the access list",
      body = AccessEntryDocument.class,
      answer = AccessEntryDocument.class,
      status = CREATED,
      errors = 409)
  public Response add(
      JsonBody body,
      @QueryParam(ParameterReader.DRY_RUN)
          @Described("true: save nothing, only check the entry and return its warnings (200)")
          @Nullable String dryRun,
      @Context UriInfo uri,
      @Context SecurityContext caller) {
    AccessListRow wanted = AccessListRow.of(body.as(AccessEntryDocument.class).entry());
    List<String> warnings = warnings(wanted);
    if (ParameterReader.flag(ParameterReader.DRY_RUN, dryRun)) {
      return JsonEntity.ok(AccessEntryDocument.of(wanted, warnings));
    }
    AccessListRow saved = entries.save(wanted, CallerName.asAuthor(caller));
    return EntityTags.created(
        uri, saved.id(), AccessEntryDocument.of(saved, warnings), saved.version());
  }

  private List<String> warnings(AccessListRow row) {
    return RowWarnings.of(entries.check(row));
  }

  @GET
  @Path("/{id}")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "Return an entry of the access list",
      answer = AccessEntryDocument.class,
      errors = 404)
  public Response one(@PathParam("id") String id) {
    AccessListRow row = found(id);
    return EntityTags.ok(document(row), row.version());
  }

  private AccessListRow found(String id) {
    return entries.find(ParameterReader.rowId(id)).orElseThrow(() -> missing(id));
  }

  private static RuntimeException missing(String id) {
    return Problem.notFound("There is no entry " + id + ".").exception();
  }

  @PUT
  @Path("/{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(value = ControlRole.ADMIN, dryRun = ControlRole.VIEW)
  @Operation(
      value = "Replace an entry of the access list",
      body = AccessEntryDocument.class,
      answer = AccessEntryDocument.class,
      errors = 404)
  public Response replace(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @QueryParam(ParameterReader.DRY_RUN)
          @Described("true: save nothing, only check the entry and return its warnings")
          @Nullable String dryRun,
      JsonBody body,
      @Context SecurityContext caller) {
    long version = EntityTags.required(ifMatch);
    AccessListRow now = found(id);
    if (now.entry().action() == AccessAction.BAN) {
      throw new InvalidFieldException("id", "must not be that of a ban, which can only be lifted");
    }
    AccessEntry entry = body.as(AccessEntryDocument.class).entry();
    AccessListRow wanted =
        new AccessListRow(now.id(), entry, now.policy(), version, now.createdAt(), now.updatedBy());
    List<String> warnings = warnings(wanted);
    if (ParameterReader.flag(ParameterReader.DRY_RUN, dryRun)) {
      return JsonEntity.ok(AccessEntryDocument.of(wanted, warnings));
    }
    AccessListRow saved =
        EntityTags.change(
            () -> entries.save(wanted, CallerName.asAuthor(caller)),
            () -> entries.version(now.id()));
    return EntityTags.ok(AccessEntryDocument.of(saved, warnings), saved.version());
  }

  @DELETE
  @Path("/{id}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(value = "Lift an entry of the access list", errors = 404)
  public Response delete(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    long version = EntityTags.required(ifMatch);
    long row = ParameterReader.rowId(id);
    if (entries.version(row).isEmpty()) {
      throw missing(id);
    }
    return EntityTags.delete(
        () -> entries.delete(row, version, CallerName.asAuthor(caller)),
        () -> entries.version(row));
  }
}
