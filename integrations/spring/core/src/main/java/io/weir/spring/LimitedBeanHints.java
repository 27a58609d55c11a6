package io.weir.spring;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Lets native images show the methods of limited beans, whose annotations are read at the start.
 */
final class LimitedBeanHints implements BeanRegistrationAotProcessor {
  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
    if (!LimitedTypes.carryLimit(type)) {
      return null;
    }
    Set<Class<?>> declaring = LimitedTypes.family(type);
    return (generation, code) ->
        declaring.forEach(
            each ->
                generation
                    .getRuntimeHints()
                    .reflection()
                    .registerType(each, MemberCategory.INVOKE_DECLARED_METHODS));
  }
}
