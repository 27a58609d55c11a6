package io.weir.internal.container;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.core.ResteasyContext;
import org.jboss.resteasy.mock.MockHttpRequest;
import org.jboss.resteasy.specimpl.ResteasyUriInfo;
import org.jboss.resteasy.spi.Registry;
import org.jspecify.annotations.Nullable;

/** The resources of an application on RESTEasy. */
final class RestEasyResources {
  private RestEasyResources() {}

  /**
   * Returns whether an OPTIONS request may reach one. Matches a copy, since matching notes the
   * parameters of the path, and without its fields, so that none leads past a resource. A path that
   * the copy spells otherwise, such as one with two slashes at the start, isn't matched.
   */
  static boolean mayReach(UriInfo request) {
    @Nullable Registry registry = ResteasyContext.getContextData(Registry.class);
    if (registry == null || !(request instanceof ResteasyUriInfo sent)) {
      return true;
    }
    try {
      MockHttpRequest copy =
          MockHttpRequest.create(
              HttpMethod.OPTIONS, request.getAbsolutePath(), request.getBaseUri());
      return !copy.getUri().getMatchingPath().equals(sent.getMatchingPath())
          || registry.getResourceInvoker(copy).getMethod() != null; // else a generated answer
    } catch (NotFoundException | NotAllowedException none) {
      return false;
    }
  }
}
