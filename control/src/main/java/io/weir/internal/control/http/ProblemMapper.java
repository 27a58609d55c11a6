package io.weir.internal.control.http;

import io.weir.InvalidRequestException;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.MalformedJsonException;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.glassfish.jersey.spi.ExtendedExceptionMapper;
import org.jspecify.annotations.Nullable;

/**
 * Maps exceptions of the resources to problem documents. Applies to the feature's requests only,
 * which needs an interface of Jersey.
 *
 * <p>Jersey uses the mapper with the closest exception type. So each exception that carries details
 * for the client has its own mapper here, and an application's mapper for {@code RuntimeException}
 * doesn't hide it. {@link ErrorDocumentFilter} replaces the responses of other mappers.
 *
 * <p>Safe for concurrent use.
 */
public abstract class ProblemMapper<E extends Throwable> implements ExtendedExceptionMapper<E> {
  private static final Logger LOG = System.getLogger(ProblemMapper.class.getName());

  private final ControlPaths paths;

  @Context private @Nullable UriInfo request;

  private ProblemMapper(ControlPaths paths) {
    this.paths = paths;
  }

  /** Makes the mappers. Each has a class of its own, from which Jersey reads its exception type. */
  public static List<ProblemMapper<?>> all(ControlPaths paths) {
    return List.of(
        new ProblemMapper<InvalidFieldException>(paths) {},
        new ProblemMapper<MalformedJsonException>(paths) {},
        new ProblemMapper<InvalidRequestException>(paths) {},
        new ProblemMapper<InvalidRuleException>(paths) {},
        new ProblemMapper<ConflictException>(paths) {},
        new ProblemMapper<RulesUnavailableException>(paths) {},
        new ProblemMapper<Throwable>(paths) {});
  }

  @Override
  public boolean isMappable(E thrown) {
    try {
      return request != null && paths.include(request.getPath(false));
    } catch (RuntimeException outsideOfRequests) {
      return false;
    }
  }

  @Override
  public Response toResponse(E thrown) {
    if (thrown instanceof WebApplicationException wrong) {
      Response given = wrong.getResponse();
      return given.getStatus() < 400 ? given : Problem.of(thrown).response(given);
    }
    Problem problem = Problem.of(thrown);
    if (problem.isUnexpected()) {
      LOG.log(Level.ERROR, "A request of the control API failed", thrown);
    }
    return problem.response();
  }
}
