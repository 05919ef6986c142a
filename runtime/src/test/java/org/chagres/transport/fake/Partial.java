package org.chagres.transport.fake;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/** Makes an interface of an object that has only those of its methods that matter; all others refuse. */
final class Partial {
    private Partial() {
    }

    static <T> T of(final Class<T> type, final Object implementation) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type }, new Forwarder(implementation)));
    }

    /** What an interface was made of. */
    static <T> T implementation(final Object proxy, final Class<T> type) {
        return type.cast(((Forwarder) Proxy.getInvocationHandler(proxy)).target);
    }

    private static final class Forwarder implements InvocationHandler {
        private final Object target;
        private final Map<Method, Method> known = new HashMap<>();

        Forwarder(final Object target) {
            this.target = target;
        }

        @Override
        public Object invoke(final Object proxy, final Method method, final Object[] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> target.toString();
                };
            }
            final Method mine = find(method);
            if (mine == null && method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            if (mine == null) {
                throw new UnsupportedOperationException(target.getClass().getSimpleName() + " has no " + method);
            }
            try {
                return mine.invoke(target, arguments);
            } catch (final InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private synchronized Method find(final Method method) {
            return known.computeIfAbsent(method, wanted -> {
                try {
                    final Method found = target.getClass()
                            .getDeclaredMethod(wanted.getName(), wanted.getParameterTypes());
                    found.setAccessible(true);
                    return found;
                } catch (final NoSuchMethodException e) {
                    return null;
                }
            });
        }
    }
}
