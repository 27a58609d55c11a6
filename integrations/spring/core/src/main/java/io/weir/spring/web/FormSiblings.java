package io.weir.spring.web;

import io.weir.spring.SpringHandlers;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.util.PathMatcher;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPattern.PathMatchInfo;

/**
 * Finds the handlers of one path that the form in a body may choose. Spring MVC compares the
 * parameters before the paths, so most mappings by parameters belong to other paths.
 */
final class FormSiblings {
  private FormSiblings() {}

  /**
   * Finds the handlers whose mapping fits but for its parameters.
   *
   * @param lookup gets the attributes that the mapping would set
   * @return none for mappings that don't list their handlers
   */
  static List<HandlerMatch> of(
      HandlerMapping mapping, LookupRequest lookup, MvcEndpoints endpoints) {
    if (!(mapping instanceof RequestMappingInfoHandlerMapping byInfo)) {
      return List.of();
    }
    List<HandlerMatch> found = new ArrayList<>();
    for (Map.Entry<RequestMappingInfo, HandlerMethod> each :
        byInfo.getHandlerMethods().entrySet()) {
      RequestMappingInfo info = each.getKey();
      if (goesByForm(info) && fitsOtherwise(info, lookup)) {
        setAttributes(info, byInfo.getPathMatcher(), lookup);
        found.add(endpoints.of(each.getValue(), lookup));
      }
    }
    return found;
  }

  /**
   * Adds siblings to the handler that the query has chosen.
   *
   * @param chosen null if there is none: then the first sibling takes its place
   * @return null if there is neither
   */
  static @Nullable HandlerMatch add(@Nullable HandlerMatch chosen, List<HandlerMatch> siblings) {
    if (siblings.isEmpty()) {
      return chosen;
    }
    HandlerMatch first = chosen == null ? siblings.get(0) : chosen;
    Set<SpringHandlers.@Nullable Handler> known = new HashSet<>();
    known.add(first.handler());
    List<HandlerMatch> others = new ArrayList<>();
    for (HandlerMatch each : siblings) {
      if (known.add(each.handler())) {
        others.add(each);
      }
    }
    return first.withSiblings(others);
  }

  private static boolean goesByForm(RequestMappingInfo info) {
    return !info.getParamsCondition().isEmpty() || info.getCustomCondition() != null;
  }

  private static boolean fitsOtherwise(RequestMappingInfo info, HttpServletRequest request) {
    return info.getMethodsCondition().getMatchingCondition(request) != null
        && info.getHeadersCondition().getMatchingCondition(request) != null
        && info.getConsumesCondition().getMatchingCondition(request) != null
        && info.getActivePatternsCondition().getMatchingCondition(request) != null;
  }

  private static void setAttributes(
      RequestMappingInfo info, PathMatcher matcher, LookupRequest lookup) {
    @Nullable PathPatternsRequestCondition patterns = info.getPathPatternsCondition();
    @Nullable PathPatternsRequestCondition fitting =
        patterns == null ? null : patterns.getMatchingCondition(lookup);
    if (fitting != null) {
      PathPattern pattern = fitting.getFirstPattern();
      PathContainer path =
          ServletRequestPathUtils.getParsedRequestPath(lookup).pathWithinApplication();
      @Nullable PathMatchInfo match = pattern.matchAndExtract(path);
      set(pattern.getPatternString(), match == null ? Map.of() : match.getUriVariables(), lookup);
    } else {
      setByMatcher(info, matcher, MvcRequestInfo.pathOf(lookup), lookup);
    }
  }

  private static void setByMatcher(
      RequestMappingInfo info, PathMatcher matcher, String path, LookupRequest lookup) {
    for (String pattern : info.getPatternValues()) {
      if (matcher.match(pattern, path)) {
        set(pattern, matcher.extractUriTemplateVariables(pattern, path), lookup);
        return;
      }
    }
    set("", Map.of(), lookup);
  }

  private static void set(String pattern, Map<String, String> variables, LookupRequest lookup) {
    lookup.setAttribute(
        HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, pattern.isEmpty() ? null : pattern);
    lookup.setAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, variables);
  }
}
