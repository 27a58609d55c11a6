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
 * Makes problem documents of what the resources throw. Takes part only in requests of the feature:
 * to those of the application it isn't there, which is why it needs Jersey's own interface.
 *
 * <p>Of several mappers Jersey takes the one whose type is the nearest, so that each exception that
 * carries something for the client has a mapper of its own. What an application's mapper makes of
 * others is replaced by {@link AnswerFilter}.
 *
 * <p>Safe for concurrent use.
 *
 * @param <E> which exceptions it maps
 */
public abstract class ProblemMapper<E extends Throwable> implements ExtendedExceptionMapper<E> {
  private static final Logger LOG = System.getLogger(ProblemMapper.class.getName());

  private final OwnPaths paths;

  @Context private @Nullable UriInfo request;

  private ProblemMapper(OwnPaths paths) {
    this.paths = paths;
  }

  /**
   * One for each kind of exception, of a class of its own: Jersey reads there which one it is.
   *
   * @param paths the paths of the feature
   * @return to be registered
   */
  public static List<ProblemMapper<?>> all(OwnPaths paths) {
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
