/// One step of a network that is being trained. It keeps from the forward pass what its backward pass needs.
///
/// Networks hold their layers by concrete type; the protocol names what they share, and lets one test check the
/// gradients of all.
public protocol Layer<Number>: AnyObject {
    associatedtype Number: Scalar

    /// What training changes.
    var parameters: [Parameter<Number>] { get }

    /// - Parameter x: `[batch, …]`
    func forward(_ x: Tensor<Number>) -> Tensor<Number>

    /// Sets the gradients of the parameters.
    ///
    /// - Parameter dy: the loss's gradient with respect to the output of the last ``forward(_:)``.
    /// - Returns: the gradient with respect to its input.
    func backward(_ dy: Tensor<Number>) -> Tensor<Number>
}
