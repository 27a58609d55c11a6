package io.weir.internal.control.admin.users;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.paging.Cursor;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.rules.tier.UserTierRepository;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists users. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/users")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class UserListResource {
  private final UserTierRepository users;

  public UserListResource(UserTierRepository users) {
    this.users = users;
  }

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List the users that have a tier of their own, by name",
      id = "UsersResource.list",
      answer = UserDocument.class,
      answers = Many.PAGE)
  public Response list(
      @BeanParam PageRequest page,
      @QueryParam("tier") @Described("Only the users of this tier") @Nullable String tier,
      @QueryParam("state") @Described("Only the users in this state") @Nullable String state,
      @QueryParam("own")
          @Described(
              "true: only users with limits or a quota of their own, which changes of rules leave"
                  + " unchanged; also those of the default tier, whose version is 0")
          @Nullable String own) {
    String after = page.cursor(1).map(cursor -> cursor.text(0)).orElse("");
    Optional<String> ofTier = Optional.ofNullable(tier);
    Optional<UserState> inState = FieldReader.optional("state", state, UserState.class);
    boolean hasOwn = ParameterReader.flag("own", own);
    if (hasOwn && inState.isPresent()) {
      throw new InvalidFieldException("state", "must not be given together with own");
    }
    List<UserTier> found =
        hasOwn
            ? users.listWithOwnTerms(ofTier, after, page.rowsToRead())
            : users.list(ofTier, inState, after, page.rowsToRead());
    return JsonEntity.ok(Page.of(found, page, last -> Cursor.of(last.userId()), UserDocument::of));
  }
}
