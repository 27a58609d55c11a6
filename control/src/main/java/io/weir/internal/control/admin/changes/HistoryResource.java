package io.weir.internal.control.admin.changes;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.paging.Cursor;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.history.RuleChange;
import io.weir.rules.history.RuleHistory;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists changes of rows, and restores earlier rows. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/changes")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class HistoryResource {
  private final RuleHistory history;

  public HistoryResource(RuleHistory history) {
    this.history = history;
  }

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List changes of rows, newest first; of one row with table and rowKey",
      answer = ChangeDocument.class,
      answers = Many.PAGE)
  public Response list(
      @BeanParam PageRequest page,
      @QueryParam("table") @Described("Only the changes of this table") @Nullable String table,
      @QueryParam("rowKey")
          @Described(
              "With table: only the changes of the row with this key: its id, user or policy")
          @Nullable String rowKey) {
    if (rowKey != null && table == null) {
      throw new InvalidFieldException("rowKey", "must be given together with table");
    }
    long before = page.cursor(1).map(cursor -> cursor.number(0)).orElse(Long.MAX_VALUE);
    List<RuleChange> found =
        history.list(
            Optional.ofNullable(table),
            Optional.ofNullable(rowKey),
            page.from(),
            page.to(),
            before,
            page.rowsToRead());
    return JsonEntity.ok(
        Page.of(found, page, last -> Cursor.of(last.number()), ChangeDocument::of));
  }

  @POST
  @Path("/{number}/restore")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Restore a row to what it was after a change",
      errors = {404, 409})
  public Response restore(@PathParam("number") String number, @Context SecurityContext caller) {
    RuleChange change =
        history
            .find(ParameterReader.rowId(number))
            .filter(each -> ChangeDocument.isRestorable(each.table()))
            .orElseThrow(
                () ->
                    Problem.notFound("There is no change " + number + " that can be restored.")
                        .exception());
    history.restore(change.number(), CallerName.asAuthor(caller));
    return Response.noContent().build();
  }
}
