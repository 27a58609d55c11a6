package io.weir.jaxrs;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.glassfish.jersey.server.model.ResourceModel;
import org.glassfish.jersey.server.model.RuntimeResource;

/**
 * The resources of an application on Jersey. Determines whether an OPTIONS request may reach one:
 * by a method for OPTIONS that Jersey hasn't generated, or by a locator of sub-resources, which
 * Jersey calls while it matches. It looks at all templates that match, so at more than Jersey.
 *
 * <p>Immutable.
 */
final class JerseyResources implements Predicate<ContainerRequestContext> {
  private final List<RuntimeResource> resources;

  JerseyResources(ResourceModel model) {
    this.resources = model.getRuntimeResourceModel().getRuntimeResources();
  }

  @Override
  public boolean test(ContainerRequestContext context) {
    return !(context instanceof ContainerRequest request)
        || mayReach(resources, "/" + request.getPath(false).replaceAll(";[^/]*", ""));
  }

  private static boolean mayReach(List<RuntimeResource> resources, String path) {
    return resources.stream().anyMatch(each -> mayReach(each, path));
  }

  private static boolean mayReach(RuntimeResource resource, String path) {
    MatchResult match = resource.getPathPattern().match(path);
    if (match == null) {
      return false;
    }
    String rest = match.groupCount() == 0 ? null : match.group(match.groupCount());
    boolean whole = rest == null || rest.isEmpty() || rest.equals("/");
    return resource.getResourceLocator() != null
        || whole && resource.getResourceMethods().stream().anyMatch(JerseyResources::handles)
        || mayReach(resource.getChildRuntimeResources(), rest == null ? "" : rest);
  }

  private static boolean handles(ResourceMethod method) {
    return method.getHttpMethod().equals(HttpMethod.OPTIONS)
        && !ResourceMethods.answersOptions(method.getInvocable().getHandler().getHandlerClass());
  }
}
